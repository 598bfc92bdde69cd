import type { DetailedCause, Help, KnownBug } from './explanation';
import { named } from './holders';
import { hasKnownBug, knownBug } from './known-bug';
import { DEFAULT_SCHEDULER, lastWord, meaningOf, schedulerOf } from './scheduler-words';
import type { Meaning, SchedulerWord } from './scheduler-words';
import type { SchedulingAnswer } from './scheduling-causes';
import type { Situation } from './situation';
import { listed, sentence } from './wording';

/** A pod that nothing in the objects holds: its scheduler has not tried, cannot write what it found, has a defect, or was not woken. */
export function fitsNow(situation: Situation, { fitting, stock, defect, bugs = [] }: SchedulingAnswer): DetailedCause {
  const { pod, view } = situation;
  const word = lastWord(view, pod);
  const meaning = word && meaningOf(word.message);
  const places = fitting.length === 0 ? '' : `it fits on ${listed(fitting, 'and', 4)}${stock === '' ? '' : ` (${stock})`}`;
  const objects = [named(pod, 'pod'), ...fitting.slice(0, 4).map(name => ({ kind: 'Node', name, role: 'node' as const }))];
  const said = word === undefined ? '' : ` Its last word, maybe out of date: ${sentence(word.message)}`;
  if (defect !== undefined) {
    return {
      cause: 'DRA208',
      because: `${places === '' ? '' : `Nothing in these objects holds the pod: ${places}. `}${defect.what}, and this version of the scheduler fails at that.${said}`,
      objects,
      help: [{ text: defect.wayOut, kind: 'upgrade' }],
      bugs: [defect.bug, ...bugs],
    };
  }
  if (word !== undefined && meaning?.cause !== undefined && (meaning.cause === 'DRA208' || (word.isError && HIDDEN.has(meaning.cause)))) {
    return { cause: meaning.cause, because: `The devices do: ${places}. But ${meaning.meaning}: ${sentence(word.message)}`, objects, help: [HELP[meaning.cause] ?? TRIES_AGAIN], bugs };
  }
  const scheduler = schedulerOf(pod);
  if (word !== undefined && scheduler !== DEFAULT_SCHEDULER) return foreign(scheduler, { word, meaning, places, objects, bugs });
  if (word !== undefined && !word.isError) return notWoken(situation, { word, meaning, places, objects, bugs });
  const meant = meaning === undefined ? '' : ` That is to say: ${meaning.meaning}.`;
  return {
    cause: 'DRA203',
    because: `Nothing in these objects holds the pod: ${places}. The scheduler has not come to it since things changed, does not run, or knows what is not here.`
      + (word === undefined ? ' It has left no word on the pod.' : `${said}${meant}`),
    objects,
    help: [TRIES_AGAIN],
    bugs,
  };
}

/** What the objects do not show: it happens when the scheduler writes down what it found. */
const HIDDEN: ReadonlySet<string> = new Set(['DRA213', 'DRA220', 'DRA272']);

const HELP: { readonly [cause: string]: Help | undefined } = {
  DRA208: { text: 'restart kube-scheduler, whose picture of the claims is wrong, and upgrade it', kind: 'upgrade' },
  DRA213: { text: 'look at the policy: a fence is lifted by whoever set it, and the scheduler then tries again by itself', kind: 'change-policy' },
  DRA220: { text: 'end a consumer of the claim, or use a claim template', kind: 'change-claim' },
  DRA272: { text: 'look at the controller or driver that has to make the devices ready', kind: 'repair-driver' },
};
const TRIES_AGAIN: Help = { text: 'wait for the next attempt of the scheduler (within about five minutes while it runs)', kind: 'wait' };

interface Fit {
  readonly word: SchedulerWord;
  readonly meaning: Meaning | undefined;
  readonly places: string;
  readonly objects: DetailedCause['objects'];
  readonly bugs: readonly KnownBug[];
}

/** C-128: other schedulers keep a picture of the claims of their own, and what wakes them is their own matter. */
function foreign(scheduler: string, { word, places, objects, bugs }: Fit): DetailedCause {
  return {
    cause: 'DRA207',
    because: `Nothing in these objects holds the pod any more: ${places}, as kube-scheduler would decide. `
      + `Its scheduler, ${scheduler}, has refused it${word.time === '' ? '' : ` (${word.time})`}: ${sentence(word.message)}`,
    objects,
    help: [{ text: `restart ${scheduler} if it refuses the pod again: the picture that it keeps of claims and devices can be out of date`, kind: 'wait' }],
    bugs,
  };
}

/** C-125: refused once, and nothing has happened since that the scheduler takes for a reason to look again. */
function notWoken({ target, patch, demand, extended }: Situation, { word, meaning, places, objects, bugs }: Fit): DetailedCause {
  const classes = [...new Set(demand.flatMap(({ requests }) => requests.flat().map(({ className }) => className)))].filter(name => name !== '');
  const deaf = hasKnownBug('class-edit-wakes-nobody', target, patch) === true && extended.some(({ resource, className }) => className !== undefined && word.message.includes(resource));
  const wakesNobody = deaf
    ? 'Mapping an extended resource to a class wakes nobody in this version'
    : `A ResourceSlice that goes away wakes nobody${hasKnownBug('claim-deletion-wakes-nobody', target, patch) === false ? '' : ', nor does a deleted claim'}, whatever it stood in the way of`;
  const wasPool = meaning?.cause === 'DRA255' || meaning?.cause === 'DRA263';
  const found = deaf
    ? [knownBug('class-edit-wakes-nobody', 'The class answers the extended resource by now, and the pod was refused before', target, patch)]
    : wasPool ? [knownBug('slice-deletion-wakes-nobody', 'The pool that was in the way is gone or whole by now, and the pod was refused before', target, patch)] : [];
  return {
    cause: 'DRA207',
    because: `Nothing in these objects holds the pod any more: ${places}. The scheduler refused it before${word.time === '' ? '' : ` (${word.time})`}: ${sentence(word.message)} `
      + `${wakesNobody}; the pod is then tried again only after five minutes, or at another change.`,
    objects,
    help: [
      deaf
        ? { text: 'recreate the pod, or wait for five minutes', kind: 'wait' }
        : {
          text: classes.length === 0
            ? 'wait for five minutes, or touch a node (kubectl label node)'
            : `touch the class, which wakes the pod (kubectl annotate deviceclass ${classes[0]} woken=1 --overwrite), or wait for five minutes`,
          kind: 'wait',
        },
      // Seen on 1.35.4 and 1.36.3.
      { text: 'see whether the scheduler runs; restart it if it refuses the pod again, since it can keep the devices of a pod that was deleted while it was bound', kind: 'wait' },
    ],
    bugs: [...found, ...bugs],
  };
}
