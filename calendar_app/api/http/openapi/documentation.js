// Without validatorUrl the page would ask somebody else's service whether the document is valid.
SwaggerUIBundle({
  url: document.currentScript.dataset.document,
  dom_id: "#documentation",
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
