// How the site searches: what VitePress' search box takes (.vitepress/config.mjs), and what the test of it does.

/** Of the index. */
export const indexFields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] };

/** Of a search; the functions are written into the site, so they use nothing from outside. */
export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  // What explains an error before what mentions it.
  boostDocument: (id) => {
    if (id.endsWith('#troubleshooting')) return 1;
    if (id.startsWith('/troubleshooting.html#')) return 2;
    if (/\/(errors|problems)\.html#/.test(id)) return 1.5;
    return /\/(api|changelog|contributing|architecture)\.html|\/decisions\//.test(id) ? 0.3 : 1;
  },
};
