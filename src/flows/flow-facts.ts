import type { Answer, FlowEnd, FlowRecord, Protocol } from '../domain/flow.ts';
import type { Pong } from './protocol-lines.ts';
import type { SendLog } from './send-log.ts';
import { describeSystemError, type SystemError } from './system-error.ts';

/** Told each time a flow ends, and each time an ended one turns out to live. */
export interface EndWatcher {
  ended(): void;
  revived(): void;
}

/** What was seen of one flow, kept while it is seen. It takes notes, and judges nothing. */
export class FlowFacts {
  readonly id: string;
  readonly #protocol: Protocol;
  readonly #sends: SendLog;
  readonly #watcher: EndWatcher;
  #dialed = false;
  #dialError: SystemError | null = null;
  #localPort: number | null = null;
  #firstAnswer: Answer | null = null;
  #lastAnswer: Answer | null = null;
  #unservedSinceNs: bigint | null = null;
  #foreignAnswer: Answer | null = null;
  #announcedNs: bigint | null = null;
  #end: FlowEnd | null = null;
  #sent = 0;
  #answered = 0;
  #firstUnparsed: string | null = null;
  #unparsed = 0;

  constructor(id: string, protocol: Protocol, sends: SendLog, watcher: EndWatcher) {
    this.id = id;
    this.#protocol = protocol;
    this.#sends = sends;
    this.#watcher = watcher;
  }

  get dialed(): boolean {
    return this.#dialed;
  }

  /** The pod that it was opened to answered, and nothing ended it since. */
  get isServed(): boolean {
    return this.#firstAnswer !== null && this.#end === null;
  }

  get hasSocketEnd(): boolean {
    return this.#end !== null;
  }

  /** Nothing more can be learned that would decide how it ended. */
  get hasEnded(): boolean {
    return this.#dialError !== null || this.#end !== null || this.#foreignAnswer !== null;
  }

  get answeredBy(): readonly string[] {
    return [this.#firstAnswer, this.#foreignAnswer].flatMap((answer) => (answer === null ? [] : [answer.pod]));
  }

  /** The first thing that went wrong, for a reader; null when nothing did. */
  get complaint(): string | null {
    if (this.#dialError !== null) return `${this.id}: ${describeSystemError(this.#dialError)}`;
    if (this.#end?.kind === 'error') return `${this.id}: ${describeSystemError(this.#end)}`;
    if (this.#end !== null) return `${this.id}: ${this.#end.kind}`;
    if (this.#firstUnparsed === null) return null;
    return `${this.id}: ${this.#unparsed} lines not of the probe's protocol, the first ${JSON.stringify(this.#firstUnparsed)}`;
  }

  /** Pings up to the last that its own pod answered: what is unanswered of these is lost, and not on its way. */
  get overtaken(): number {
    return this.#lastAnswer === null ? 0 : this.#lastAnswer.sequence + 1;
  }

  /** Pings that its own pod answered. */
  get answered(): number {
    return this.#answered;
  }

  noteDialed(): void {
    this.#dialed = true;
  }

  noteLocalPort(port: number): void {
    this.#localPort = port;
  }

  noteDialError(error: SystemError): void {
    const before = this.hasEnded;
    this.#dialError = error;
    this.#tellChange(before);
  }

  get nextSequence(): number {
    return this.#sends.next;
  }

  /** A ping leaves now; gives its sequence. */
  noteSend(nowNs: bigint): number {
    this.#sent += 1;
    this.#unservedSinceNs ??= nowNs;
    return this.#sends.add(nowNs);
  }

  /** The kernel did not take the ping that was noted last. */
  noteUnsent(): void {
    this.#sent -= 1;
  }

  /** Gives the answer if the pod that the flow was opened to gave it. An answer to no known ping counts as unparsed. */
  notePong(pong: Pong, receivedNs: bigint, line: string): Answer | null {
    const { sequence, identity } = pong;
    const sentNs = this.#sends.sentNs(sequence);
    if (sentNs === undefined) {
      this.noteUnparsed(line);
      return null;
    }
    const answer: Answer = { pod: identity, sequence, sentNs, receivedNs };
    const isFirstToPing = this.#sends.markAnswered(sequence);
    const before = this.hasEnded;
    this.#firstAnswer ??= answer;
    const isOwn = identity === this.#firstAnswer.pod;
    if (isOwn) {
      this.#noteServed(answer);
      if (this.#foreignAnswer === null) this.#end = null;
      if (isFirstToPing) this.#answered += 1;
    } else {
      this.#foreignAnswer ??= answer;
    }
    this.#tellChange(before);
    return isOwn ? answer : null;
  }

  /**
   * An answer that was overtaken by a later one says nothing new. One to a ping that left with or after the first that
   * another pod answered does not take back that the flow was moved.
   */
  #noteServed(answer: Answer): void {
    if (this.#lastAnswer !== null && answer.sequence < this.#lastAnswer.sequence) return;
    if (this.#foreignAnswer !== null && answer.sequence >= this.#foreignAnswer.sequence) return;
    this.#lastAnswer = answer;
    this.#unservedSinceNs = this.#sends.sentNs(answer.sequence + 1) ?? null;
  }

  noteBye(receivedNs: bigint): void {
    this.#announcedNs ??= receivedNs;
  }

  noteUnparsed(line: string): void {
    this.#firstUnparsed ??= line.slice(0, 80);
    this.#unparsed += 1;
  }

  /** The first end since the last own answer stays. */
  noteEnd(end: FlowEnd): void {
    const before = this.hasEnded;
    this.#end ??= end;
    this.#tellChange(before);
  }

  /** When the ping left for whose answer, or a later one's, the flow has waited longest; undefined: for none. */
  waitingSinceNs(): bigint | undefined {
    return this.#sends.firstUnansweredNs();
  }

  record(): FlowRecord {
    return {
      id: this.id,
      protocol: this.#protocol,
      localPort: this.#localPort,
      firstAnswer: this.#firstAnswer,
      lastAnswer: this.#lastAnswer,
      unservedSinceNs: this.#unservedSinceNs,
      foreignAnswer: this.#foreignAnswer,
      announcedNs: this.#announcedNs,
      end: this.#end,
      sent: this.#sent,
      answered: this.#answered,
      dialError: this.#dialError?.code ?? null,
    };
  }

  #tellChange(hadEnded: boolean): void {
    if (hadEnded === this.hasEnded) return;
    if (hadEnded) this.#watcher.revived();
    else this.#watcher.ended();
  }
}
