import { mimes } from 'mrmime';

/** Files whose names say what they are though they have no extension. */
const namedTypes = new Map([
  ['apple-app-site-association', 'application/json'],
  ['LICENSE', 'text/plain'],
  ['CNAME', 'text/plain'],
]);

/** By extension. In a map, for files may be called `x.constructor` too. */
const types = new Map(Object.entries(mimes));

/** Text in all but name: the charset belongs there too. */
const TEXT = /^text\/|^application\/(javascript|json|xml|manifest\+json|.*\+(json|xml))$|^image\/svg\+xml$/;

/** What gets smaller; pictures, films, archives and woff are compressed already. */
const COMPRESSIBLE =
  /^(text\/.*|application\/(wasm|rtf|vnd\.ms-fontobject|x-font-ttf|x-javascript)|font\/(ttf|otf|collection)|image\/(bmp|x-icon|vnd\.microsoft\.icon|x-ms-bmp)|model\/(gltf\+json|gltf-binary|obj))$/;

/** The media type of a file by its name, with the charset where it is text. */
export function contentTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const type = namedTypes.get(name) ?? types.get(extensionOf(name)) ?? 'application/octet-stream';
  return isText(type) ? `${type}; charset=utf-8` : type;
}

export function isCompressible(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]!.trim();
  return isText(type) || COMPRESSIBLE.test(type);
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

function isText(type: string): boolean {
  return TEXT.test(type);
}
