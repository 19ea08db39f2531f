import { toWellFormed } from '../../go/text.ts';

/** An element of an XML document: attributes in their order, and a text, a CDATA section, or other elements. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly content?: string | { readonly cdata: string } | readonly XmlElement[];
}

/** XML as Go's xml.MarshalIndent lays it out, with a tab for each level and a line break at the end. */
export const writeXml = (root: XmlElement): string => `${elementText(root, '')}\n`;

function elementText({ name, attributes = {}, content = '' }: XmlElement, indent: string): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const start = `${indent}<${name}${given.join('')}>`;
  const end = `</${name}>`;
  if (typeof content === 'string') return `${start}${escaped(content)}${end}`;
  if ('cdata' in content) return `${start}${cdata(content.cdata)}${end}`;
  if (content.length === 0) return `${start}${end}`;
  const inner = content.map((element) => elementText(element, `${indent}\t`));
  return [start, ...inner, `${indent}${end}`].join('\n');
}

/** A section of this kind cannot hold its own end. */
const cdata = (text: string): string =>
  text === '' ? '' : `<![CDATA[${readable(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

const entities: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

const escaped = (text: string): string => readable(text).replace(/["'&<>\t\n\r]/g, (sign) => entities[sign] as string);

/** Without the characters that XML cannot have. */
const readable = (text: string): string =>
  toWellFormed(text).replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd');
