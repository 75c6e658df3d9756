/**
 * Less common verbs of APIs, desktop and creative tools, with the act that each one usually means. Many are
 * nouns as well, so they count only where no common verb does, and only where a verb stands.
 */
import type { Act } from '../act.ts';

const GROUPS: readonly (readonly [Act, string])[] = [
  [
    'read',
    `advise appraise approximate backtrace bisect calc characterize chart chat checksum coach cluster compile
    conjugate contextualize converse corroborate crosscheck curate debate debug decipher decompile deduce demangle
    demonstrate dereference derive deserialize differentiate disambiguate disassemble discern discuss distill
    elaborate elicit envision escape exponentiate extrapolate factcheck factorize fuzz gauge geosearch glance
    hexdump hyphenate infer integrate interpolate intersect interrogate intuit invert judge justify lemmatize lex
    mine narrate objdump paraphrase parametrize pinpoint pluralize proofread prove quiz recap reconcile regress
    rehearse rephrase romanize scout screen scrutinize segment sense serialize list sift skim slugify sniff spell
    spellcheck spot stringify study surface syllabify tabulate teach tokenise transliterate triangulate tutor
    typecheck uncover understand unescape unfurl unminify unshorten vectorize vet weigh whatis xray`,
  ],
  [
    'create',
    `adopt assemble take author backfill bake bundle cache cast checkpoint clip compress concat concatenate contribute
    craft design devise doodle draw emboss enlist enter extrude fabricate fashion favorite favourite film forge
    form formulate frame gen grow gzip host inject inscribe instrument invent jot journal kickoff kickstart knit
    lay loft memo memorize mirror mock mold mould nest paint pair pen persist photograph plant prefetch preload
    prepare prototype remind replicate reproduce revolve rig sculpt shoot sketch stash stub sweep tar template
    tile unzip voxelize weave wireframe zip`,
  ],
  [
    'update',
    `rescan recheck recalculate recompute revalidate reanalyze reparse equip accelerate adapt continue feed mow qualify step water anchor anonymize augment autofill autofit backdate balance beep bend bevel bind blend blink
    bold boost brighten calibrate capitalize center centre chain checkin cherrypick clamp clarify clock clockin
    clockout coerce color colorize colour colourize combine compact condense conform cool correct couple cut cycle
    darken dblclick decorate decrypt deepen defer deform delay denoise denormalize desaturate dock double
    doubleclick doubletap downsample downscale dragdrop dye ease emphasize encrypt engage enhance enlarge equalize
    fade fasten finish fit flatten fold foreground fuse glue go goto grade harden harmonize heat hold honk hydrate
    indent inherit interleave italicize jump keydown keypress keystroke keyup layer lengthen level lift light
    lighten localize press longtap loop mask mend mix morph mount obfuscate offset opt orbit orient outdent
    overlay pad pan parent park paste pinch pivot point polish pose position precool preheat progress protect
    punch quantize randomize rasterize rearrange rebrand recalculate recolor recolour recompute reconfigure redraw
    reduce refine reflow reframe reinforce relabel relight relink remap remaster remediate remesh remix remodel
    renumber reorganize reorient repaint reparent repeat replan reposition reroute resample rescale reshape reskin
    restructure restyle resync retag retarget retime retitle retopologize retouch retune retype reverse reweight
    reword rework rightclick roam route saturate shade shake sharpen shift shrink simmer skew slice slide slowdown
    smooth snap soften solo space speedup spin spread stabilize stack standardize steer stir stitch straighten
    strengthen stretch strikethrough style subdivide substitute symmetrize tailor ure thicken thin throttle
    tighten tilt tint toast transcode transpose tune turnoff turnon twist underline undock unfold unhide unhold
    unify unindent unpark unparent untag vary vent wake warmup warp weaken weld whiten widen wiggle`,
  ],
  [
    'delete',
    `ax axe blank decimate dedup erode explode gut lose pare pluck rip scrap scratch smash tear unload weed zero`,
  ],
  ['revoke', `bar discharge ghost jail punish restrict sanction sideline`],
  ['cancel', `brick cease conclude crash jam knockout shut stall`],
  [
    'spend',
    `ape auction bill commission dca debit giveaway hedge leverage pledge snipe splurge zapin zapout`,
  ],
  ['share', `advertise cede handoff handover leak livestream premiere ship`],
  [
    'deliver',
    `appeal blast buzz endorse hail nominate petition pitch pm rebut refer ring say shout spam speak thank
    warn wave wish yell`,
  ],
];

/** What a less common word means as a verb. */
export const RARE_VERBS: ReadonlyMap<string, Act> = new Map(
  GROUPS.flatMap(([act, words]) => words.split(/\s+/).map((word): [string, Act] => [word, act])),
);
