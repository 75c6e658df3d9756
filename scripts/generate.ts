/** Writes every generated page and part of a page. A test fails while any of them is stale. */
import { writeFileSync } from 'node:fs';
import { generatedDocs } from './generated-docs.ts';

for (const [path, content] of Object.entries(generatedDocs())) writeFileSync(path, content);
