import { BlockList, isIP } from 'node:net';

/**
 * The proxy for a URL, by HTTPS_PROXY, HTTP_PROXY and NO_PROXY as Go reads them (golang.org/x/net/http/httpproxy):
 * a domain in NO_PROXY covers its subdomains, address ranges count, and this machine is never reached through a proxy.
 */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): string | undefined {
  const proxy = url.protocol === 'https:' ? variable(env, 'HTTPS_PROXY') : variable(env, 'HTTP_PROXY');
  if (proxy === '' || isExempt(url, variable(env, 'NO_PROXY'))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

const variable = (env: NodeJS.ProcessEnv, name: string): string => env[name] || env[name.toLowerCase()] || '';

/** Whether what is sent there does not leave this machine. */
export function isThisMachine(url: URL): boolean {
  const host = hostOf(url);
  return host === 'localhost' || isLoopback(host);
}

const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

function isExempt(url: URL, noProxy: string): boolean {
  if (isThisMachine(url)) return true;
  const host = hostOf(url);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && covers(entry, host, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInRange(host, entry);
  const [, name = entry, onlyPort] = /^(.*):(\d+)$/.exec(isIP(entry) === 6 ? '' : entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '');
  if (isIP(bare)) return bare === host;
  const domain = bare.replace(/^\*(?=\.)/, '');
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function isInRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(host);
  if (family === 0 || family !== isIP(network) || !/^\d+$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  return subnet(network, Number(bits), family).check(host, family === 4 ? 'ipv4' : 'ipv6');
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return isIP(host) === 6 && subnet('::1', 128, 6).check(host, 'ipv6');
}

function subnet(network: string, bits: number, family: number): BlockList {
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  return list;
}
