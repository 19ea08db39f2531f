import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { goPathError } from '../go/path-error.ts';
import { GoError } from '../go/value.ts';
import { withTemporaryFolder } from '../support/directories.ts';
import { messageOf } from '../support/errors.ts';
import type { ChartAccess } from './chart-access.ts';
import { expandChart } from './expand-chart.ts';
import { type FetchedFile, type FetchTools, fetchIntoFolder, type ProvenanceMode } from './fetch-chart.ts';
import { verificationText } from './trust/text.ts';

export interface PullRequest {
  readonly access: ChartAccess;
  readonly folder: string;
  /** Where the chart is unpacked, below `folder` unless it is absolute; undefined to keep the archive. */
  readonly untarFolder?: string | undefined;
  readonly provenance: ProvenanceMode;
  readonly tools: FetchTools;
}

/** Fetches a chart into a folder, packed or unpacked, and gives what Helm prints at the end. Go: action.Pull.Run. */
export async function pullChart(reference: string, request: PullRequest): Promise<string> {
  if (request.untarFolder !== undefined) return pullUnpacked(reference, request.untarFolder, request);
  return outputOf(reference, request.access, await fetchIntoFolder(reference, request.folder, request, request.tools));
}

async function pullUnpacked(reference: string, untarFolder: string, request: PullRequest): Promise<string> {
  return withTemporaryFolder('tshelm-', async (temporary) => {
    const fetched = await fetchIntoFolder(reference, temporary, request, request.tools);
    const folder = isAbsolute(untarFolder) ? untarFolder : join(request.folder, untarFolder);
    const reserved = reserve(folder, reference.slice(reference.lastIndexOf('/') + 1));
    try {
      expandChart(folder, fetched.path);
    } catch (cause) {
      removeEmpty(reserved);
      if (!(cause instanceof GoError)) throw cause;
      throw new GoError(`${cause.message}, in the archive of ${fetched.url}`, { cause });
    }
    return outputOf(reference, request.access, fetched);
  });
}

/** Makes the folder that has the reference's last word as its name, and gives it; one that is there already is not written to. */
function reserve(folder: string, name: string): string {
  const path = join(folder, name);
  if (statSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new GoError(`failed to untar: a file or directory with the name ${path} already exists`);
  try {
    mkdirSync(path, { recursive: true });
    return path;
  } catch (cause) {
    throw new GoError(`failed to untar (mkdir): ${goPathError('mkdir', path, cause).message}`, { cause });
  }
}

/** So that the next try is not refused for it. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it.
  }
}

function outputOf(reference: string, { repoUrl }: ChartAccess, fetched: FetchedFile): string {
  const { verification, missingProvenance, url } = fetched;
  if (missingProvenance !== undefined)
    return `WARNING: Verification not found for ${repoUrl ? url : reference}: ${messageOf(missingProvenance)}\n`;
  if (verification === undefined) return '';
  return verificationText(verification, 'Chart');
}
