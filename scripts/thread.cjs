'use strict';
// Where a thread of the bundled command line starts.
require('./main.js').unittestThread();
