// <calendar-frame src="https://calendar.example.org" language="rm" categories="music"> on any page.
"use strict";

(() => {
  const home = new URL(".", document.currentScript.src).href;
  const own = new Set(["src", "language", "view", "title"]);

  class CalendarFrame extends HTMLElement {
    connectedCallback() {
      if (this.firstElementChild) return;
      const site = (this.getAttribute("src") || home).replace(/\/+$/, "");
      const parts = [site, this.getAttribute("language"), "embed", this.getAttribute("view")];
      const address = new URL(`${parts.filter(Boolean).join("/")}/`, location.href);
      for (const { name, value } of this.attributes) {
        if (!own.has(name) && !/^(id|class|style|data-|aria-)/.test(name)) {
          address.searchParams.set(name, value);
        }
      }
      const frame = Object.assign(document.createElement("iframe"), {
        src: address.href,
        title: this.getAttribute("title") || "Calendar",
        loading: "lazy",
      });
      frame.style.cssText = "width:100%;height:40rem;border:0;display:block";
      addEventListener("message", ({ source, origin, data }) => {
        if (source === frame.contentWindow && origin === address.origin && data?.calendarHeight) {
          frame.style.height = `${Math.ceil(data.calendarHeight)}px`;
          // In the language of the calendar, unless the page around it says another one.
          if (!this.getAttribute("title") && data.calendarTitle) frame.title = data.calendarTitle;
        }
      });
      this.append(frame);
    }
  }

  // A page may load the script with each of its calendars. Those of earlier releases call the frame
  // <calendar-events>, as they call the list of another script: the one that is there first keeps it.
  if (!customElements.get("calendar-frame")) customElements.define("calendar-frame", CalendarFrame);
  if (!customElements.get("calendar-events")) {
    customElements.define("calendar-events", class extends CalendarFrame {});
  }
})();
