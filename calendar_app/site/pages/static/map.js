// The places of a page on a map, where the site has tiles.
"use strict";

const APART = 28; // pixels between the centres of two pins, so that each can be hit alone

// Places that would cover one another share a pin.
const groupsOf = (places, map) => {
  const groups = [];
  for (const place of places) {
    const pixel = map.latLngToLayerPoint(place.point);
    const group = groups.find((each) => each.pixel.distanceTo(pixel) < APART);
    if (group) group.places.push(place);
    else groups.push({ pixel, places: [place] });
  }
  return groups.map((group) => group.places);
};

const placeOf = (section) => {
  const point = [Number(section.dataset.lat), Number(section.dataset.lng)];
  if (section.dataset.name) {
    const box = Object.assign(document.createElement("strong"), { textContent: section.dataset.name });
    return { name: section.dataset.name, box, point };
  }
  const heading = section.querySelector(".place-name");
  const name = heading.firstChild.nodeValue?.trim() || heading.innerText.split("\n")[0];
  const lines = [...section.querySelectorAll(".event-title a")].map((link) => {
    const line = document.createElement("p");
    line.append(Object.assign(document.createElement("a"), {
      href: link.href, textContent: link.textContent }));
    return line;
  });
  const box = document.createElement("div");
  box.append(Object.assign(document.createElement("strong"), { textContent: name }), ...lines);
  return { name, box, point };
};

const pinOf = (places) => {
  const html = places.length > 1 ? `<span aria-hidden="true">${places.length}</span>` : "";
  const icon = L.divIcon({ className: "marker", iconSize: [26, 26], html });
  const title = places.map((each) => each.name).join(" · ");
  const popup = document.createElement("div");
  popup.append(...places.map((each) => each.box));
  return L.marker(places[0].point, { icon, title }).bindPopup(popup, { maxHeight: 220 });
};

const showMap = (box, sections) => {
  const escaped = document.createElement("span");
  escaped.textContent = box.dataset.attribution;
  const map = L.map(box, { scrollWheelZoom: false });
  L.tileLayer(box.dataset.tiles, { attribution: escaped.innerHTML, maxZoom: 18 }).addTo(map);
  const places = sections.map(placeOf);
  map.fitBounds(places.map((each) => each.point), { padding: [30, 30], maxZoom: 15 });
  const pins = L.layerGroup().addTo(map);
  let shown = "";
  const group = () => {
    const groups = groupsOf(places, map);
    const sizes = JSON.stringify(groups.map((each) => each.map(({ name }) => name)));
    if (sizes === shown) return;
    shown = sizes;
    pins.clearLayers();
    for (const each of groups) pins.addLayer(pinOf(each));
  };
  group();
  map.on("zoomend", group);
};

const mapBox = document.querySelector("#map");
const sections = [...document.querySelectorAll(".place[data-lat], [data-point]")];
if (mapBox && sections.length && window.L) showMap(mapBox, sections);
