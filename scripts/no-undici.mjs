// Stands in for undici in the bundle: nothing that tshelm calls reaches it.
const unavailable = () => {
  throw new Error('internal: undici is not bundled');
};
export const fetch = unavailable;
export class Agent {}
export class ProxyAgent {}
export class Dispatcher {}
export class FormData {}
export class Headers {}
export class Request {}
export class Response {}
export default {};
