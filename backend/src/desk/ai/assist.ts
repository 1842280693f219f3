// The AI helps to write: a suggested answer, the typed text in other words, what came in another language. It gives a draft to who asked
// and nothing else: it sends nothing, stores nothing, and has no tools. What customers wrote is fenced, so that it gives no orders.
import { type Language, type RequestBody, stripDirectionMarks, type Viewer } from '@balcao/contract'
import { and, eq, isNull, ne, or } from 'drizzle-orm'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { watchSession } from '../../policy/sessions/watch.ts'
import { questions } from '../bot-questions/table.ts'
import { visibleAnswersSql } from '../quick-answers/list.ts'
import { quickAnswers } from '../quick-answers/table.ts'
import { getTicket } from '../tickets/get.ts'
import { toLogReferences } from '../tickets/lock.ts'
import { AiError, type AiUse, streamChat } from './client.ts'
import { onOneLine, readConversation, readWords } from './conversation.ts'
import { createFence } from './fence.ts'
import type { AiPace } from './pace.ts'
import { countAiUse } from './usage.ts'

type AssistRequest = RequestBody<'POST /tickets/ai/assist/:id'>

/** Characters of the questions and of the quick answers that an answer may rest on. */
const MOST_KNOWLEDGE = 12_000
const MOST_ENTRIES = 100

/**
 * The AI's draft, as it is written; whoever stops reading, or has `left` before, ends it, and so does the end of the session. Throws `ERR_NO_AI_KEY` without a key or while it is switched off,
 * `ERR_AI_FAILED`, `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`, `ERR_TOO_MANY_ATTEMPTS`.
 */
export async function assist(
  parts: Parts,
  pace: AiPace,
  session: Session,
  ticketId: number,
  request: AssistRequest,
  left: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const { ai } = parts.config
  const ticket = await getTicket(parts.db, session, ticketId)
  if (!ai || !session.settings.aiAssist) throw new AppError('ERR_NO_AI_KEY')
  const prompt = await composePrompt(parts.db, session, ticket, request)
  const running = pace.begin(session.viewer.id)
  const unwatch = watchSession(parts, session, running)
  function end() {
    unwatch()
    pace.end(session.viewer.id, running)
  }
  // Who left before it is listened for is not told of again.
  if (left.aborted) running.abort()
  left.addEventListener('abort', () => running.abort(), { once: true })
  try {
    // Data leaves the house: that stands in the log, whatever becomes of it.
    const refs = { userId: session.viewer.id, ...toLogReferences(ticket) }
    await change(parts, tx => writeLog(tx, { action: 'ticket.assist', ...refs }))
    const done = (use: AiUse) =>
      void countAiUse(parts.db, use).catch((err: unknown) => parts.log.error({ err }, 'not counted'))
    const pieces = streamChat(ai, prompt.instructions, prompt.text, { signal: running.signal, done })
    // The first piece is waited for: a refusal is still an answer of its own then.
    const first = await pieces.next()
    return toStream(first, pieces, running, end)
  } catch (error) {
    end()
    if (!(error instanceof AiError)) throw error
    parts.log.warn({ status: error.status, ticketId }, 'a draft was not written')
    throw new AppError('ERR_AI_FAILED')
  }
}

function toStream(
  first: IteratorResult<string>,
  pieces: AsyncGenerator<string>,
  running: AbortController,
  end: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<string>> = Promise.resolve(first)
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await next
        if (done) {
          end()
          return controller.close()
        }
        controller.enqueue(encoder.encode(toPlainText(value)))
        next = pieces.next()
        next.catch(() => {})
      } catch {
        // What was written so far is not the whole: who reads is told by the broken stream.
        end()
        controller.error(new AiError(null, true))
      }
    },
    async cancel() {
      running.abort()
      end()
      await pieces.return(undefined)
    },
  })
}

/** Without what a text field would show wrongly. */
function toPlainText(piece: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what goes
  return stripDirectionMarks(piece).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

interface Prompt {
  readonly instructions: string
  readonly text: string
}

async function composePrompt(
  db: Db,
  session: Session,
  { id, queueId }: { readonly id: number; readonly queueId: number | null },
  request: AssistRequest,
): Promise<Prompt> {
  const { guard, enclose } = createFence()
  if (request.task === 'answer') {
    const conversation = await readConversation(db, id, false)
    if (conversation === '') throw createFieldError('id', 'call.noMessages')
    const knowledge = await readKnowledge(db, session.viewer, queueId)
    const language = `${ANSWER_LANGUAGE}${NAMES[request.language]}.`
    return {
      instructions: guard(`${ANSWER} ${language}`),
      text: [knowledge && enclose('knowledge', knowledge), enclose('conversation', conversation)]
        .filter(Boolean)
        .join('\n'),
    }
  }
  if (request.task === 'translate') {
    const text = await readMessage(db, id, request.messageId)
    return { instructions: guard(translateTo(request.language)), text: enclose('text', text) }
  }
  const text = request.text.trim()
  if (text === '') throw createFieldError('text', 'schema.fieldRequired')
  const task = request.task === 'translateDraft' ? translateTo(request.language) : REWRITES[request.task]
  return { instructions: guard(task), text: enclose('text', text) }
}

/** Of this ticket alone: another message's id gives nothing. */
async function readMessage(db: Db, ticketId: number, messageId: number): Promise<string> {
  const [row] = await getSql(db)<Parameters<typeof readWords>[0][]>`
    select body, from_me as "fromMe", media_type as "mediaType", transcription from message
    where id = ${messageId} and ticket_id = ${ticketId} and not is_deleted`
  const text = row ? readWords(row) : ''
  if (text.trim() === '') throw new AppError('ERR_NO_MESSAGE_FOUND')
  return text
}

/** What the company answers: its questions, and the quick answers that this person has, of this queue or of all. */
async function readKnowledge(db: Db, viewer: Viewer, queueId: number | null): Promise<string> {
  const ofThisQueue =
    queueId === null ? isNull(questions.queueId) : or(isNull(questions.queueId), eq(questions.queueId, queueId))
  const ofQueue = queueId === null ? undefined : eq(quickAnswers.queueId, queueId)
  const rows = [
    ...(await db
      .select({ question: questions.pergunta, answer: questions.resposta })
      .from(questions)
      .where(ofThisQueue)
      .orderBy(questions.position, questions.id)
      .limit(MOST_ENTRIES)),
    ...(await db
      .select({ question: quickAnswers.shortcut, answer: quickAnswers.message })
      .from(quickAnswers)
      .where(and(visibleAnswersSql(viewer), or(isNull(quickAnswers.queueId), ofQueue), ne(quickAnswers.message, '')))
      .orderBy(quickAnswers.id)
      .limit(MOST_ENTRIES)),
  ]
  const lines: string[] = []
  let left = MOST_KNOWLEDGE
  for (const { question, answer } of rows) {
    const line = `${onOneLine(question)}: ${onOneLine(answer)}`
    left -= line.length + 1
    if (left < 0) break
    lines.push(line)
  }
  return lines.join('\n')
}

const NAMES: Record<Language, string> = { pt: 'Brazilian Portuguese', en: 'English', es: 'Spanish' }

const ANSWER =
  'You help an attendant of a company to answer a customer on WhatsApp. Write the next message of "Atendente" to "Cliente": friendly, short, plain text. State prices, dates, stock or promises only if they stand in the knowledge or were said by Atendente or Empresa; otherwise ask or say that it will be checked. Where the knowledge has words in double braces or brackets, keep them as they are.'

const ANSWER_LANGUAGE = "Write in the language of the customer's last messages; if that is unclear, in "

const REWRITES = {
  formal: 'Rewrite the text more formally and politely, in its own language, without adding or leaving out facts.',
  shorter: 'Shorten the text as far as possible without losing facts, in its own language and tone.',
  spelling: 'Correct spelling, grammar and punctuation of the text and change nothing else.',
}

function translateTo(language: Language): string {
  return `Translate the text into ${NAMES[language]}, faithfully and in the same tone.`
}
