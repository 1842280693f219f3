// What a company of a trade may begin with. What was filled is known by its version, so that what nobody changed or uses can be thrown away again.
import type { ErrorCode, FirstSteps, Trade } from '@balcao/contract'
import type { Language } from '@balcao/contract/kit/language'
import { eq, isNull, sql } from 'drizzle-orm'
import { addQuestion, deleteQuestion } from '../../desk/bot-questions/save.ts'
import type { UploadForm } from '../../desk/media/form.ts'
import { addQueue, deleteQueue } from '../../desk/queues/save.ts'
import { queues } from '../../desk/queues/table.ts'
import { addQuickAnswer, deleteQuickAnswer } from '../../desk/quick-answers/save.ts'
import { deleteTag } from '../../desk/tags/delete.ts'
import { addTag } from '../../desk/tags/save.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import en from './presets/en.json' with { type: 'json' }
import es from './presets/es.json' with { type: 'json' }
import pt from './presets/pt.json' with { type: 'json' }
import { loadFirstSteps } from './steps.ts'
import { firstSteps, type PresetRow } from './table.ts'
import { findUnusedRows } from './unused-rows.ts'

const PRESETS: Readonly<Record<Language, typeof pt>> = { pt, en, es }

/** Far from each other, for queues and tags; a queue's colour is its own. */
const COLORS = ['#2c53a4', '#0f7b6c', '#b4541a', '#7a4fa3', '#1f8fb5', '#a8324a', '#5b7a1f', '#8a6d1a']

/** Throws `ERR_INVALID_TRANSITION` where there is one already. */
export async function addPreset(
  parts: Parts,
  session: Session,
  trade: Trade,
  language: Language = 'pt',
): Promise<FirstSteps> {
  const { db } = parts
  // Of two who choose at once the first has it.
  const claimed = await db
    .insert(firstSteps)
    .values({ trade })
    .onConflictDoUpdate({ target: firstSteps.id, set: { trade }, setWhere: isNull(firstSteps.trade) })
    .returning({ id: firstSteps.id })
  if (claimed.length === 0) throw new AppError('ERR_INVALID_TRANSITION')
  const used = new Set((await db.select({ color: queues.color }).from(queues)).map(({ color }) => color.toLowerCase()))
  const free = COLORS.filter(color => !used.has(color))
  const preset = PRESETS[language][trade]
  for (const [at, name] of preset.queues.entries())
    await record('queue', addQueue(parts, session, { name, color: free[at] ?? COLORS[at] }))
  for (const [at, name] of preset.tags.entries())
    await record('tag', addTag(parts, session, { name, color: COLORS[at] }))
  for (const [shortcut = '', message = ''] of preset.quickAnswers)
    await record('quickAnswer', addQuickAnswer(parts, session, makeForm({ shortcut, message })))
  for (const [pergunta = '', resposta = ''] of preset.questions)
    await record('question', addQuestion(parts, session, { pergunta, resposta }))
  return loadFirstSteps(db)

  /** Each by itself: what was filled before a fault can be thrown away like the rest. */
  async function record(kind: PresetRow['kind'], saving: Promise<Omit<PresetRow, 'kind'>>) {
    const row = await unlessRefused(saving, TAKEN)
    if (!row) return
    const rows: PresetRow[] = [{ kind, id: row.id, version: row.version }]
    await db.update(firstSteps).set({ rows: sql`${firstSteps.rows} || ${JSON.stringify(rows)}::jsonb` })
  }
}

/** What somebody changed or uses stays. */
export async function removePreset(parts: Parts, session: Session): Promise<FirstSteps> {
  const { db } = parts
  const [row] = await db.select().from(firstSteps).where(eq(firstSteps.id, 1))
  for (const { kind, id } of row ? await findUnusedRows(db, row.rows) : [])
    await unlessRefused(REMOVE[kind](parts, session, id), GONE_OR_USED)
  await db.update(firstSteps).set({ trade: null, rows: [] })
  return loadFirstSteps(db)
}

const REMOVE = { queue: deleteQueue, quickAnswer: deleteQuickAnswer, question: deleteQuestion, tag: deleteTag }

/** Another one has the name, colour or shortcut, or there is no room: the desk has its own. */
const TAKEN: readonly ErrorCode[] = [
  'ERR_QUEUE_COLOR_ALREADY_EXISTS',
  'ERR_DUPLICATED_SHORTCUT',
  'ERR_TOO_MANY_QUESTIONS',
]
/** Somebody was faster. */
const GONE_OR_USED: readonly ErrorCode[] = [
  'ERR_QUEUE_IN_USE',
  'ERR_NO_QUEUE_FOUND',
  'ERR_NO_QUICK_ANSWER_FOUND',
  'ERR_NO_QUESTION_FOUND',
  'ERR_NO_TAG_FOUND',
]

async function unlessRefused<T>(work: Promise<T>, codes: readonly ErrorCode[]): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && codes.includes(error.code)) return null
    throw error
  }
}

/** A form of texts alone, as the page sends it. */
function makeForm(texts: Readonly<Record<string, string>>): UploadForm {
  return { texts, text: name => texts[name] ?? null, files: () => [] }
}
