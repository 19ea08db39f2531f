// In the place of make-fetch-happen, which tuf-js would fetch with: src/sigstore/tuf.ts gives it the project's own door.
module.exports = () => {
  throw new Error('internal: nothing fetches this way');
};
