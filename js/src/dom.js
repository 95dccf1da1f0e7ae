// Elements of the page.

/**
 * Make an element. What is no property of it, such as `onclick`, becomes an attribute.
 * @param {string} tag
 * @param {string} [classes]
 * @param {Record<string, any>} [props]
 * @param {(Node | string)[]} children
 * @returns {any} an HTMLElement, with the properties of its tag
 */
export const make = (tag, classes = "", props = {}, ...children) => {
  /** @type {any} */
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  for (const [name, value] of Object.entries(props)) {
    if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

/**
 * Make a button; its title is shown where the mouse rests on it.
 * @param {string} textContent
 * @param {string} title
 * @param {() => void} onclick
 * @param {string} [classes]
 * @param {Record<string, any>} [more] other properties
 */
export const button = (textContent, title, onclick, classes = "", more = {}) =>
  make("button", classes, { type: "button", textContent, title, onclick, ...more });

/** Whether the target of a key or a click takes text. @param {any} target */
export const isTyping = (target) => target.matches("input[type=text], input[type=number], textarea, select");

/** Which of the number keys this is, from 0; -1 for any other key. @param {string} key */
export const numberKey = (key) => (key.length === 1 ? "123456789".indexOf(key) : -1);

/** Bytes of base64. @param {string} text */
export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Decode an array, sent as its shape and as bytes or, in recordings, as text in single precision. @param {any} sent @returns {any} */
export const numbers = ({ shape, data }) => {
  const flat = typeof data === "string"
    ? Float64Array.from(new Float32Array(bytesOf(data).buffer))
    : new Float64Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
  if (shape.length < 2) return flat;
  return Array.from({ length: shape[0] }, (_, i) => flat.slice(i * shape[1], (i + 1) * shape[1]));
};

/**
 * Act on each item, even if another one fails.
 * @template T
 * @param {Iterable<T>} list
 * @param {(one: T) => void} act
 */
export const each = (list, act) => {
  for (const one of list) {
    try { act(one); } catch (error) { console.error(error); }
  }
};
