// In place of source-map, which Handlebars has a small substitute for.
module.exports = {};
