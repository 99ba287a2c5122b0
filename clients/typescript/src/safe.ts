// Texts of a calendar in the page of somebody else: nothing of them is ever run.

// What descriptions may hold; of the attributes only addresses of links stay.
const KEPT = new Set([
  'P', 'BR', 'STRONG', 'B', 'EM', 'I', 'UL', 'OL', 'LI', 'BLOCKQUOTE', 'H3', 'H4', 'H5', 'A',
]);
const DROPPED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'SVG', 'MATH']);
const SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

function parsed(html: string): Document {
  // Parsed without being shown: no script runs, no picture is loaded.
  return new DOMParser().parseFromString(html, 'text/html');
}

// Answers the plain text of a text with entities, such as `A &amp; B`.
export function plain(html: string): string {
  return (parsed(html).body.textContent ?? '').trim();
}

// Answers an address that a link or a picture may have; empty for any other.
export function address(text: string, schemes: ReadonlySet<string> = SCHEMES): string {
  try {
    const url = new URL(text);
    return schemes.has(url.protocol) ? url.href : '';
  } catch {
    return '';
  }
}

// Answers the nodes of a description that may be shown.
export function rich(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  copy(parsed(html).body, fragment);
  return fragment;
}

function copy(from: Node, to: Node): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) {
      to.appendChild(document.createTextNode(node.data));
    } else if (node instanceof Element && !DROPPED.has(node.tagName.toUpperCase())) {
      copy(node, KEPT.has(node.tagName) ? to.appendChild(kept(node)) : to);
    }
  }
}

function kept(element: Element): HTMLElement {
  const copied = document.createElement(element.tagName);
  const href = element instanceof HTMLAnchorElement ? address(element.getAttribute('href') ?? '') : '';
  if (href && copied instanceof HTMLAnchorElement) {
    copied.href = href;
    copied.rel = 'noopener nofollow';
  }
  return copied;
}
