// Prints what the search of a built site finds: node search_site.mjs SITE <queries.json
import { readFileSync } from "node:fs";
import vm from "node:vm";

const site = process.argv[2];
const element = { lastChild: null, querySelectorAll: () => [], addEventListener: () => {} };
const page = {
  document: { ...element, getElementById: () => element, readyState: "loading" },
  localStorage: { setItem: () => {}, getItem: () => null, removeItem: () => {} },
  location: { search: "", href: "" },
  addEventListener: () => {},
  URL,
  URLSearchParams,
  console,
};
page.window = page;
vm.createContext(page);
for (const file of [
  "_static/doctools.js",
  "_static/sphinx_highlight.js",
  "_static/language_data.js",
  "_static/searchtools.js",
  "searchindex.js",
]) {
  vm.runInContext(readFileSync(`${site}/${file}`, "utf8"), page, { filename: file });
}
const queries = JSON.parse(readFileSync(0, "utf8"));
// Results come in the opposite order in which the page of the search shows them.
const pages = (query) => {
  page.query = query;
  const results = vm.runInContext("Search._performSearch(...Search._parseQuery(query))", page);
  return results.reverse().map(([name]) => name);
};
console.log(JSON.stringify(Object.fromEntries(queries.map((query) => [query, pages(query)]))));
