// The activity log: who did what, newest first (decisions-2 §16).
import type { LogSource, ResponseBody } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { foldText, parseSearchWords } from '@balcao/contract/kit/search'
import { isLogAction, LOG_SENTENCES } from '@balcao/contract/log/log'
import en from '../../locales/logs/en.json'
import es from '../../locales/logs/es.json'
import pt from '../../locales/logs/pt.json'
import { defineCommand } from '../kit/command.ts'
import { LOG_TEXTS, SCREEN_TEXTS } from '../kit/pages.ts'
import { parseId, parsePeriod, pick } from '../kit/pick.ts'
import { createTexts, type Language } from '../kit/texts.ts'
import { formatInstant } from '../kit/when.ts'

export const logs = defineCommand({
  name: 'logs',
  texts: { pt, en, es },
  args: { search: '[search]' },
  options: { user: '--user <user>', from: '--from <day>', to: '--to <day>', limit: '--limit <number>' },
  async run({ args, options, out, t, language, desk, during }) {
    const most = Math.min(1000, parseId(options.limit ?? '20'))
    const [firstDate, lastDate] = parsePeriod(options)
    const { api } = await desk()
    const people = options.user === undefined ? [] : (await api('GET /users', { query: { all: 'true' } })).users
    const userId = options.user === undefined ? undefined : pick(people, options.user).id
    const actions = args.search === undefined ? undefined : findActions(args.search, language)
    const query = { searchParam: args.search, actions, userId, firstDate, lastDate }
    const found: Row[] = []
    let count = 0
    let cursor: string | undefined
    do {
      const page = await during(t('asking'), api('GET /log', { query: { ...query, cursor } }))
      count = page.count
      found.push(...page.logs)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined && found.length < most)
    const rows = found.slice(0, most)
    const hasMore = cursor !== undefined || found.length > most
    out.answer({ logs: rows, count, hasMore }, () => {
      if (rows.length === 0) return out.line(t('none'))
      out.table(rows, [
        { title: t('at'), of: row => formatInstant(row.createdAt, language) },
        { title: t('who'), of: row => row.user?.name ?? t('system'), gives: true, tone: () => 'strong' },
        { title: t('what'), of: row => describeEntry(row, language), gives: true },
        { title: t('which'), of: row => row.about, gives: true },
        {
          title: t('whence'),
          of: row => (LOG_SOURCES.some(source => source === row.origem) ? t(`from.${row.origem}`) : row.origem),
        },
      ])
      if (!hasMore) return
      const all = count === LIMITS.counted ? createTexts(language, SCREEN_TEXTS)('orMore', { found: count }) : count
      out.note(out.paint(t('hasMore', { shown: rows.length, all }), 'muted'))
    })
  },
})

const LOG_SOURCES: readonly LogSource[] = ['web', 'phone', 'terminal', 'api', 'auto']

type Row = ResponseBody<'GET /log'>['logs'][number]

/** The actions that a search means in the reader's language, which the server does not have. */
function findActions(search: string, language: Language): string | undefined {
  const words = parseSearchWords(search).map(foldText)
  const found = Object.keys(LOG_SENTENCES)
    .filter(isLogAction)
    .filter(action => {
      const sentence = foldText(describeEntry({ action, params: null, descricao: '' }, language))
      return words.every(word => sentence.includes(word))
    })
  return found.join() || undefined
}

/** The sentence of an entry in the reader's language; what has none there stands as the server says it. */
function describeEntry(
  { action, params, descricao }: Pick<Row, 'action' | 'params' | 'descricao'>,
  language: Language,
): string {
  if (action === null) return descricao
  const values = Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]))
  const sentence = createTexts(language, LOG_TEXTS)(`log.${action}`, values)
  return sentence === `log.${action}` ? descricao : sentence
}
