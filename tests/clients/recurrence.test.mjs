// Two expanders of recurrence rules, rrule and ical.js, give the dates that the calendar gives.
//
// RECURRENCE_RULES is how many rules are invented. They are read in UTC: zones are compared by
// tests/property/test_recurrence_agreement.py.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ICAL from 'ical.js';
import rrule from 'rrule';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PYTHON = process.env.PYTHON ?? join(ROOT, '.venv', 'bin', 'python');
function byRrule({ rule, start, end, most }) {
  const dates = [];
  const lines = `DTSTART:${start.replace(/[-:]/g, '')}Z\nRRULE:${rule.replace(/UNTIL=\w+/, '$&Z')}`;
  rrule.rrulestr(lines).all((date) => {
    const text = date.toISOString().slice(0, 19);
    if (text > end || dates.length === most) return false;
    return dates.push(text);
  });
  return dates;
}

function byIcal({ rule, start, end, most }) {
  const dates = [];
  const walk = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(start));
  for (let date = walk.next(); date && dates.length < most; date = walk.next()) {
    if (date.toString() > end) break;
    dates.push(date.toString());
  }
  return dates;
}

// What ical.js 2.2.1 reads in another way than RFC 5545: docs/reference/recurrence.md lists it.
function isMisread({ rule, start }) {
  const has = (pattern) => pattern.test(rule);
  const yearly = has(/YEARLY/), monthly = has(/MONTHLY/);
  return (
    ((yearly || monthly) && has(/BYHOUR=\d+,/)) ||
    has(/BYWEEKNO/) ||
    (yearly && has(/BYSETPOS|BYDAY=20/)) ||
    (monthly && has(/BYMONTH=/)) ||
    (yearly && !has(/BY(MONTH|YEAR)?DAY/) && /-(29|3[01])T/.test(start))
  );
}

function differences(cases, expand) {
  return cases.filter((one) => JSON.stringify(expand(one)) !== JSON.stringify(one.dates));
}

describe('the dates of random rules', () => {
  let cases;

  before(() => {
    const made = spawnSync(PYTHON, [join(ROOT, 'tests', 'recurrence_cases.py')], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, PYTHONPATH: `${ROOT}:${join(ROOT, 'tests')}` },
      maxBuffer: 2 ** 30,
    });
    assert.equal(made.status, 0, made.stderr);
    cases = JSON.parse(made.stdout);
  });

  test('are the same by rrule', () => {
    assert.deepEqual(differences(cases, byRrule).map((one) => one.rule), []);
  });

  test('are the same by ical.js, but for what it reads in another way', () => {
    const read = cases.filter((one) => !isMisread(one));
    assert.ok(read.length > cases.length / 2);
    assert.deepEqual(differences(read, byIcal).map((one) => one.rule), []);
  });
});
