// The places of a page on a map, where the site has tiles.
"use strict";

const box = document.querySelector("#map");
const places = [...document.querySelectorAll(".place[data-lat]")];

if (box && places.length && window.L) {
  const escaped = document.createElement("span");
  escaped.textContent = box.dataset.attribution;
  const map = L.map(box, { scrollWheelZoom: false });
  L.tileLayer(box.dataset.tiles, { attribution: escaped.innerHTML, maxZoom: 18 }).addTo(map);
  const icon = L.divIcon({ className: "marker", iconSize: [26, 26] });
  const points = places.map((place) => {
    const point = [Number(place.dataset.lat), Number(place.dataset.lng)];
    const heading = place.querySelector(".place-name");
    const name = heading.firstChild.nodeValue?.trim() || heading.innerText.split("\n")[0];
    const popup = document.createElement("div");
    popup.append(name, ...[...place.querySelectorAll(".event-title a")].map((link) => {
      const line = document.createElement("p");
      line.append(Object.assign(document.createElement("a"), {
        href: link.href, textContent: link.textContent }));
      return line;
    }));
    L.marker(point, { icon, alt: name, title: name }).addTo(map).bindPopup(popup);
    return point;
  });
  map.fitBounds(points, { padding: [30, 30], maxZoom: 15 });
}
