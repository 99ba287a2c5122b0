// A point on a map, in step with the two number fields of a form.
"use strict";

const pointOf = (fields) => {
  const numbers = fields.map((field) => field.value.trim().replace(",", "."));
  const [latitude, longitude] = numbers.map(Number);
  const isPoint = numbers.every(Boolean) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isPoint ? [latitude, longitude] : null;
};

// A point that is pasted into one field stands in both; the server reads these forms, and more.
const PLACE = /!3d(-?[\d.]+)!4d(-?[\d.]+)/;
const LINK = /(?:[?&]mlat=|[?&](?:q|query|ll|destination|daddr|cp)=(?:loc:)?|^geo:|#map=[\d.]+\/|\/@)(-?\d{1,2}(?:\.\d+)?)(?:&mlon=|,|%2C|~|\/)\s*(-?\d{1,3}(?:\.\d+)?)/i;
const PAIR = /^(-?\d{1,2}\.\d+)\s*[,;\s]\s*(-?\d{1,3}\.\d+)$/;
const spread = (fields) => {
  for (const { value } of fields) {
    const pair = value.trim().match(PAIR) ?? value.match(PLACE) ?? value.trim().match(LINK);
    if (pair) fields.forEach((field, index) => { field.value = pair[index + 1]; });
  }
};

const showMap = (box) => {
  const fields = [box.dataset.latitude, box.dataset.longitude].map((id) => document.getElementById(id));
  const state = box.querySelector(".point-state");
  const frame = box.querySelector(".point-map");
  const map = L.map(frame, { scrollWheelZoom: false, zoomControl: false, worldCopyJump: true });
  L.control.zoom({ zoomInTitle: box.dataset.in, zoomOutTitle: box.dataset.out }).addTo(map);
  const owed = document.createElement("span");
  owed.textContent = box.dataset.attribution;
  L.tileLayer(box.dataset.tiles, { attribution: owed.innerHTML, maxZoom: 18 }).addTo(map);
  const icon = L.divIcon({ className: "marker", iconSize: [26, 26] });
  const marker = L.marker([0, 0], { icon, draggable: true, keyboard: false, alt: "" });

  const mark = (point) => {
    if (!point) return marker.remove();
    marker.setLatLng(point).addTo(map);
  };
  const choose = (place) => {
    const { lat, lng } = place.wrap();
    const numbers = [lat, lng].map((number) => number.toFixed(6).replace(/\.?0+$/, ""));
    fields.forEach((field, index) => {
      field.value = numbers[index];
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    state.textContent = box.dataset.set.replace("{latitude}", numbers[0]).replace("{longitude}", numbers[1]);
  };
  const begin = () => {
    const point = pointOf(fields);
    const area = box.dataset.area.split(",").map(Number);
    if (point) map.setView(point, 15);
    else if (area.length === 4) map.fitBounds([[area[1], area[0]], [area[3], area[2]]], { maxZoom: 13, padding: [20, 20] });
    else map.setView([30, 10], 1);
    mark(point);
  };

  map.on("click", (event) => choose(event.latlng));
  marker.on("dragend", () => choose(marker.getLatLng()));
  frame.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== frame) return;
    event.preventDefault();
    choose(map.getCenter());
  });
  for (const field of fields) {
    field.addEventListener("input", () => {
      spread(fields);
      const point = pointOf(fields);
      mark(point);
      if (point && !map.getBounds().contains(point)) map.panTo(point);
    });
  }
  begin();
};

for (const box of window.L ? document.querySelectorAll(".point") : []) {
  box.hidden = false;
  // A map needs its measures, which it has as soon as it is seen.
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((each) => each.isIntersecting)) return;
    observer.disconnect();
    showMap(box);
  }, { rootMargin: "100px" }).observe(box);
}
