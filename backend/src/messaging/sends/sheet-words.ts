// What the sheet of a send's recipients says, in the language of who asked for it. Pure.
import type { Exclusion, Language, RecipientState } from '@balcao/contract'
import en from '@balcao/contract/texts/send-reasons/en.json'
import es from '@balcao/contract/texts/send-reasons/es.json'
import pt from '@balcao/contract/texts/send-reasons/pt.json'

interface Words {
  readonly heads: readonly string[]
  readonly states: Readonly<Record<RecipientState, string>>
  readonly reasons: Readonly<Record<Exclusion, string>> & Readonly<Record<string, string>>
  /** Whatever else a provider may have had against it. */
  readonly other: string
}

export const RECIPIENT_WORDS: Readonly<Record<Language, Words>> = {
  pt: {
    heads: ['nome', 'numero', 'estado', 'motivo', 'quando'],
    states: {
      waiting: 'na vez',
      sending: 'saindo',
      sent: 'enviada',
      delivered: 'entregue',
      read: 'lida',
      failed: 'falhou',
      unknown: 'não sabemos se saiu',
      excluded: 'ficou de fora',
      cancelled: 'cancelado antes de sair',
    },
    reasons: pt.why,
    other: pt.why.other,
  },
  en: {
    heads: ['name', 'number', 'state', 'reason', 'when'],
    states: {
      waiting: 'waiting',
      sending: 'going out',
      sent: 'sent',
      delivered: 'delivered',
      read: 'read',
      failed: 'failed',
      unknown: 'not known whether it went out',
      excluded: 'left out',
      cancelled: 'cancelled before it went out',
    },
    reasons: en.why,
    other: en.why.other,
  },
  es: {
    heads: ['nombre', 'numero', 'estado', 'motivo', 'cuando'],
    states: {
      waiting: 'en espera',
      sending: 'saliendo',
      sent: 'enviada',
      delivered: 'entregada',
      read: 'leída',
      failed: 'falló',
      unknown: 'no se sabe si salió',
      excluded: 'quedó fuera',
      cancelled: 'cancelado antes de salir',
    },
    reasons: es.why,
    other: es.why.other,
  },
}
