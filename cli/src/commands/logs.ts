// The activity log: who did what, newest first (decisions-2 §16).
import type { LogSource, ResponseBody } from '@balcao/contract'
import en from '../../locales/logs/en.json'
import es from '../../locales/logs/es.json'
import pt from '../../locales/logs/pt.json'
import { defineCommand } from '../kit/command.ts'
import { LOG_TEXTS } from '../kit/pages.ts'
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
    const asked = { searchParam: args.search, userId, firstDate, lastDate }
    const found: Row[] = []
    let cursor: string | undefined
    do {
      const page = await during(t('asking'), api('GET /log', { query: { ...asked, cursor } }))
      found.push(...page.logs)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined && found.length < most)
    const rows = found.slice(0, most)
    out.answer({ logs: rows }, () => {
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
    })
  },
})

const LOG_SOURCES: readonly LogSource[] = ['web', 'phone', 'terminal', 'api', 'auto']

type Row = ResponseBody<'GET /log'>['logs'][number]

/** The sentence of an entry in the reader's language; what has none there stands as the server says it. */
function describeEntry({ action, params, descricao }: Row, language: Language): string {
  if (action === null) return descricao
  const values = Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]))
  const said = createTexts(language, LOG_TEXTS)(`log.${action}`, values)
  return said === `log.${action}` ? descricao : said
}
