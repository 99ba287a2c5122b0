"""Currencies: their signs, their names in prices, and their ISO 4217 codes."""

import re
from dataclasses import dataclass
from typing import Self

from calendar_app.settings import Settings

# Without the two that are common English words in capitals.
CODES = frozenset(
    re.findall(
        "[A-Z]{3}",
        """AED AFN AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
        BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP
        GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS
        KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
        MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD
        RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TRY TTD
        TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG""",
    ),
)
_CODE_OF = {"€": "EUR", "£": "GBP", "₹": "INR", "₺": "TRY", "₽": "RUB", "zł": "PLN"}
# Signs of several currencies: the site's own is meant if it is one of them.
_SHARED = {
    "$": "ARS AUD BBD BMD BND BSD BZD CAD CLP COP FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD"
    " TTD TWD USD UYU XCD",
    "\xa5": "CNY JPY",
    "kr": "DKK ISK NOK SEK",
}
_SIGN = r"[A-Za-z]{0,3}[$\xa2-\xa5\u20a0-\u20c0]"
_NAMES = r"(?i:(?:kr|s?fr|rs)\.?|zł|zl|kč|ft|lei|eur|chf|usd|gbp|euros?|franken|francs|dollars?)"


@dataclass(frozen=True)
class Currency:
    """The site's own: a sign, its ISO 4217 code, and "prefix" or "postfix"."""

    symbol: str
    code: str
    position: str

    @classmethod
    def of(cls, settings: Settings) -> Self:
        return cls(settings.currency_symbol, settings.currency_code, settings.currency_position)

    def code_of(self, symbol: str) -> str:
        """Return the ISO 4217 code that a symbol stands for, else ""."""
        if symbol.upper() in CODES:
            return symbol.upper()
        if symbol == self.symbol.strip() and self.code:
            return self.code
        is_shared = self.code in _SHARED.get(symbol.removesuffix("."), "").split()
        return self.code if is_shared else _CODE_OF.get(symbol, "")


def symbol_pattern(own_symbol: str) -> str:
    """Return the regular expression of a symbol, a name or a code, ``own_symbol`` included."""
    own = [re.escape(own_symbol)] if own_symbol else []
    words = "|".join([*own, *sorted(CODES), _NAMES])
    return rf"(?:{_SIGN}|(?<![^\W\d_])(?:{words})(?![^\W\d_]))"
