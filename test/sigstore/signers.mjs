/** Who signed chart.identity.json (private-sigstore.ts), and what differs from that by one character. */
const uri = 'https://github.com/acme/charts/.github/workflows/release.yml@refs/tags/v1';
const issuer = 'https://token.example';

/** A text with a character changed, left out, doubled, or in the other case, and with more at its ends. */
function nearTexts(text, step) {
  const found = [` ${text}`, `${text} `, `${text}/`, `${text}\n`, text.slice(1), text.slice(0, -1), text.toUpperCase()];
  for (let at = 0; at < text.length; at += step) {
    const [before, char, behind] = [text.slice(0, at), text[at], text.slice(at + 1)];
    const other = char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase();
    found.push(`${before}${char === 'x' ? 'y' : 'x'}${behind}`, before + behind, before + char + char + behind);
    if (other !== char) found.push(before + other + behind);
  }
  return found;
}

/** What may be asked of a signer, as options of the flags of that name; the first is right. */
export const signers = [
  { certificateIdentity: uri, certificateOidcIssuer: issuer },
  ...nearTexts(uri, 5).map((certificateIdentity) => ({ certificateIdentity, certificateOidcIssuer: issuer })),
  ...nearTexts(issuer, 3).map((certificateOidcIssuer) => ({ certificateIdentity: uri, certificateOidcIssuer })),
  ...[
    '^https://github\\.com/acme/.*$',
    'acme',
    '^acme$',
    '^https://github.com/acme/charts/',
    'https://github.com/acme/charts/$',
    'v2$',
    'V1$',
    '(?i)V1$',
    '^$',
    'a{2}cme',
    uri,
  ].map((certificateIdentityRegexp) => ({ certificateIdentityRegexp, certificateOidcIssuer: issuer })),
  ...['^https://token\\.example$', 'token', '^token', 'tokens?\\.exampl$', '.*'].map((certificateOidcIssuerRegexp) => ({
    certificateIdentity: uri,
    certificateOidcIssuerRegexp,
  })),
];
