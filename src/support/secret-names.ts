/** Words by which people name what must stay secret, at the end of a key: `dbPassword`, `API_TOKEN`, `tls.privateKey`. */
const secretEnd =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|credentials?|api-?key|private-?key|secret-?key|access-?key|signing-?key|encryption-?key|auth-?key|connection-?string|dsn|bearer|htpasswd|dockerconfigjson|tls\.key)$/i;

/** Keys that name or describe a secret (`existingSecret: my-secret`) and do not hold it. */
const described = /^existing|^use|^create/i;

/** Whether what stands under this key is likely a secret. */
export const isSecretName = (key: string): boolean => {
  const plain = key.replaceAll('_', '-');
  return secretEnd.test(plain) && !described.test(plain);
};
