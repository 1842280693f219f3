// What a sheet of the log says, in the language of who asked for it. Pure.
import {
  flattenSentences,
  formatLogText,
  type Language,
  LOG_SENTENCES,
  type LogRow,
  type LogSource,
} from '@balcao/contract'
import en from '@balcao/contract/texts/log/en.json'
import es from '@balcao/contract/texts/log/es.json'

interface Words {
  readonly file: string
  readonly heads: readonly string[]
  readonly sources: Readonly<Record<LogSource, string>>
  readonly owner: string
  readonly program: string
  readonly yes: string
  readonly no: string
  readonly changed: string
}

export const LOG_WORDS: Readonly<Record<Language, Words>> = {
  pt: {
    file: 'registro.xlsx',
    heads: ['data', 'hora', 'quem', 'o que fez', 'sobre', 'origem', 'informado', 'detalhes'],
    sources: { web: 'Painel web', phone: 'Celular', terminal: 'Terminal', api: 'API', auto: 'Automático' },
    ...{ owner: 'Conta principal', program: 'Outro programa', yes: 'sim', no: 'não', changed: 'mudou' },
  },
  en: {
    file: 'log.xlsx',
    heads: ['date', 'time', 'who', 'what was done', 'about', 'from where', 'reported', 'details'],
    sources: { web: 'Web panel', phone: 'Phone', terminal: 'Terminal', api: 'API', auto: 'Automatic' },
    ...{ owner: 'Main account', program: 'Another program', yes: 'yes', no: 'no', changed: 'changed' },
  },
  es: {
    file: 'registro.xlsx',
    heads: ['fecha', 'hora', 'quién', 'qué hizo', 'sobre', 'origen', 'informado', 'detalles'],
    sources: { web: 'Panel web', phone: 'Celular', terminal: 'Terminal', api: 'API', auto: 'Automático' },
    ...{ owner: 'Cuenta principal', program: 'Otro programa', yes: 'sí', no: 'no', changed: 'cambió' },
  },
}

const SENTENCES = { pt: LOG_SENTENCES, en: flattenSentences(en.log), es: flattenSentences(es.log) }

/** What was done. What a client reported, and what was written before actions had codes, keeps the words it was written with. */
export function formatLogSentence(language: Language, { action, params, descricao }: LogRow): string {
  return action === null ? descricao : formatLogText(action, params, SENTENCES[language])
}
