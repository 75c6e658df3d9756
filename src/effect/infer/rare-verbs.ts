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
    typecheck uncover understand unescape unfurl unminify unshorten vectorize vet weigh whatis xray
    appreciate ascertain consider contemplate crossreference decompress deconstruct deliberate delineate deobfuscate
    distinguish elucidate enquire enunciate eyeball fathom hear hypothesize illustrate inquire itemize overhear
    peruse ponder postulate recognize recollect scour see speculate theorize trawl unmarshal untangle wonder`,
  ],
  [
    'create',
    `adopt assemble take author backfill bake bundle cache cast checkpoint clip compress concat concatenate contribute
    craft design devise doodle draw emboss enlist enter extrude fabricate fashion favorite favourite film forge
    form formulate frame gen grow gzip host inject inscribe instrument invent jot journal kickoff kickstart knit
    lay loft memo memorize mirror mock mold mould nest paint pair pen persist photograph plant prefetch preload
    prepare prototype remind replicate reproduce revolve rig sculpt shoot sketch stash stub sweep tar template
    tile unzip voxelize weave wireframe zip
    accumulate amass churn collate concoct conjure construct crochet cultivate dictate embroider engrave erect
    etch hatch inaugurate introduce lodge manufacture originate serve sew smelt sow stockpile unpack untar`,
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
    strengthen stretch strikethrough style subdivide substitute symmetrize tailor thicken thin throttle
    tighten tilt tint toast transcode transpose tune turnoff turnon twist underline undock unfold unhide unhold
    unify unindent unpark unparent untag vary vent wake warmup warp weaken weld whiten widen wiggle
    abbreviate absorb accommodate adorn affix airlift amplify attune automate autosave awaken bandage
    bathe boil bounce braid brush buckle buff carry carve chew chop climb coat coax comb commute
    conserve constrain convene convey cook coordinate crouch crunch cure dampen decelerate defend
    deflate deflect defragment defrost dehydrate demarcate deprecate descend digitize dilute disguise displace dive
    divert dodge dribble drill drink dry dunk eat elongate embellish encapsulate encircle enclose
    energize enforce enliven ensure escort evade evolve expedite fertilize fight flank flap fling fluff
    freshen fry fulfil fulfill gamify garnish geotag glide graft grasp graze grease grill grind grip groom
    haul heal hoist homogenize hone hug humanize hunt hustle ignite ignore immerse improve incline incorporate
    inflate insulate intensify interlace internationalize jog juggle juxtapose kneel laminate lean leap
    loosen lubricate maintain maneuver marinate memoize mimic mitigate modernize modularize modulate moisten
    moor narrow neaten neutralize nourish nurture obey obscure occupy oversee paddle parallelize parameterize patrol
    pave pedal peel perforate personalize perturb pollinate pour prefer pressurize prewarm proceed prolong
    propagate propel purify quench quicken readjust realign reassemble recast recenter reclaim reclassify
    recline recode recombine recondition reconstruct recrop redecorate redefine redesign redirect redistribute
    reenter reevaluate refill refit refocus refold refuel regulate rehash rehydrate reignite reimagine reinstate
    reinvent rejoin rekey remeasure repack repackage replenish reprocess reproject repurpose reroll rescue reseed
    reshuffle respawn resurface retain retell rethink retrace retrofit reuse revamp revise revisit revitalize revive
    rewire rinse ripen roast rub rush sanitize scatter scramble seal shave shelve shepherd
    shimmer shorten shovel sidestep sing sip sit skate slap sling slip smile smirk sneak soak soar soothe
    specialize specify speed spill splash splice spray sprinkle sprout squat squeeze stagger stain stay
    steep sterilize stiffen stimulate stomp stroll stumble supervise supplement surround sway sweeten swerve
    swim swing swirl tame tangle taste tend tether thaw throw thrust tie till topple toss trek
    trickle tuck tug tumble twirl unbox unbuckle unclip uncurl undress unglue unhook unite unlatch unleash unmark
    unravel unroll unscrew unseal unstack unstage untie untrack untwist unwind uphold uplift use utilize veer
    ventilate vibrate vocalize wade wag wander wash wedge whirl whisk whistle wobble wrestle`,
  ],
  [
    'delete',
    `ax axe blank decimate dedup erode explode gut lose pare pluck rip scrap scratch smash tear unload weed zero
    annul break crush disintegrate evaporate incinerate nix quash repeal scuttle shatter trample`,
  ],
  [
    'revoke',
    `bar seize discharge ghost jail punish restrict sanction sideline
    boycott confiscate curtail embargo excommunicate furlough layoff veto`,
  ],
  [
    'cancel',
    `brick cease conclude crash jam knockout shut stall
    cutover disengage failback forgo logoff relinquish renounce scram signout surrender`,
  ],
  [
    'spend',
    `ape auction reallocate bill commission dca debit giveaway hedge leverage pledge snipe splurge zapin zapout
    allocate barter expend forfeit haggle monetize overpay spend tithe underbid`,
  ],
  [
    'share',
    `advertise cede handoff handover leak livestream premiere ship
    bequeath debut publicise sublicense`,
  ],
  [
    'deliver',
    `appeal blast buzz endorse hail nominate petition pitch pm rebut refer ring say shout spam speak thank
    warn wave wish yell
    apologize beg chirp communicate implore lobby plead praise sue toot urge vouch`,
  ],
];

/** What a less common word means as a verb. */
export const RARE_VERBS: ReadonlyMap<string, Act> = new Map(
  GROUPS.flatMap(([act, words]) => words.split(/\s+/).map((word): [string, Act] => [word, act])),
);
