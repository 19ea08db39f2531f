/** The id by which links name a heading: as GitHub makes it, so that they work there, on the site and in `explain`. */
export const headingId = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
