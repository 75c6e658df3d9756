/** Work on imagery: analytics, band formulas, clips and processing jobs. */
import type { Declaration } from 'plimsoll';
import { appends, computes, creates, deletes, estimates, reads, spends, updates } from 'plimsoll';
import { declare } from '../golden.ts';
import { account, callerUrl, paid, platform, pure } from './facts.ts';

const analyticsRead = ['analytics:read'];
const analyticsProcess = ['analytics:process'];
const formulasRead = ['band_formulas:read'];
const formulasWrite = ['band_formulas:write'];
const clipRead = ['clip:read'];
const clipWrite = ['clip:write'];
const clipDestroy = ['clip:destroy'];
const read = ['processing:read'];
const run = ['processing:process'];

export const processing: readonly Declaration[] = [
  // Analytics over what is already there keeps nothing; the scope says that it uses machines.
  declare('analytics.execute', 'Run Analysis', reads('analysis', account), analyticsProcess),
  declare('analytics.band_math', 'Run Band Math', computes('raster', callerUrl), analyticsProcess),
  declare(
    'analytics.calculate_index',
    'Calculate Spectral Index',
    computes('raster', callerUrl),
    analyticsProcess,
  ),
  declare('analytics.index.get', 'Get Spectral Index', reads('index', platform), analyticsRead),
  declare(
    'analytics.indices.list',
    'List Spectral Indices',
    reads('index', platform),
    analyticsRead,
  ),
  declare('analytics.operations.get', 'Get Method', reads('method', platform), analyticsRead),
  declare('analytics.operations.list', 'List Methods', reads('method', platform), analyticsRead),
  declare('analytics.sensors.list', 'List Sensors', reads('sensor', platform), analyticsRead),
  declare('analytics.validate_formula', 'Check Formula', reads('formula', pure), analyticsRead),

  // Band formulas
  declare(
    'band_formulas.create',
    'Create Band Formula',
    creates('band formula', account),
    formulasWrite,
    ['band_formula'],
  ),
  declare(
    'band_formulas.update',
    'Update Band Formula',
    updates('band formula', account),
    formulasWrite,
  ),
  declare(
    'band_formulas.delete',
    'Delete Band Formula',
    deletes('band formula', account),
    formulasWrite,
  ),
  declare('band_formulas.get', 'Get Band Formula', reads('band formula', account), formulasRead),
  declare('band_formulas.list', 'List Band Formulas', reads('band formula', account), formulasRead),

  // Clips: a job sets credits aside when it is made.
  declare(
    'clip.create_from_area',
    'Clip Area',
    spends('credits', { ...paid, reserves: true }),
    clipWrite,
    ['job'],
  ),
  declare(
    'clip.create_from_item',
    'Clip Item',
    spends('credits', { ...paid, reserves: true }),
    run,
    ['job'],
  ),
  declare('clip.job.delete', 'Delete Clip Job', deletes('clip job', account), clipDestroy),
  declare('clip.job.get', 'Get Clip Job', reads('clip job', account), clipRead),
  declare('clip.jobs.list', 'List Clip Jobs', reads('clip job', account), clipRead),
  declare('clip.job.downloads', 'List Clip Downloads', reads('clip file', account), clipRead),
  declare('clip.job.tile_info', 'Get Clip Tile Info', reads('clip job', account), clipRead),
  declare('clip.areas.list', 'List Clip Areas', reads('area', platform), clipRead),
  declare('clip.area.metadata', 'Get Clip Area', reads('area', platform), clipRead),
  declare('clip.area.mosaics', 'List Area Mosaics', reads('mosaic', platform), clipRead),

  // What can be run, and for how much
  declare('processing.catalog.list', 'List Processes', reads('process', platform), read),
  declare('processing.catalog.get', 'Get Process', reads('process', platform), read),
  declare('processing.catalog.validate', 'Check Process Inputs', reads('process', platform), read),
  declare('processing.catalog.estimate', 'Estimate Process', estimates('credits', account), read),
  declare('processing.job_types.list', 'List Job Types', reads('job type', platform), read),

  // Jobs
  declare(
    'processing.execute',
    'Run Process',
    spends('credits', { ...paid, estimate: 'processing.catalog.estimate', reserves: true }),
    run,
    ['job'],
  ),
  declare(
    'processing.create',
    'Create Processing Job',
    spends('credits', { ...paid, reserves: true }),
    run,
    ['job'],
  ),
  declare(
    'processing.create_and_dispatch',
    'Create and Dispatch Processing Job',
    spends('credits', { ...paid, reserves: true }),
    run,
    ['job'],
  ),
  declare('processing.dispatch', 'Dispatch Processing Job', spends('credits', paid), run),
  declare('processing.job.register', 'Register Job Outputs', appends('job output', account), run),
  declare(
    'processing.job.delete',
    'Delete Processing Job',
    deletes('processing job', account),
    clipDestroy,
  ),
  declare('processing.job.get', 'Get Job', reads('processing job', account), read),
  declare('processing.jobs.list', 'List Jobs', reads('processing job', account), read),
  declare('processing.project_job.get', 'Get Project Job', reads('processing job', account), read),
  declare(
    'processing.project_jobs.list',
    'List Project Jobs',
    reads('processing job', account),
    read,
  ),
  declare(
    'processing.job.tile_info',
    'Get Job Tile Info',
    reads('processing job', account),
    clipRead,
  ),
];
