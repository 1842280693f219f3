// What sheets and archives that people save are called and how they are headed, in three languages.
import type { Language } from '@balcao/contract'
import en from '@balcao/contract/texts/exports/en.json'
import es from '@balcao/contract/texts/exports/es.json'
import pt from '@balcao/contract/texts/exports/pt.json'

export const EXPORT_WORDS: Readonly<Record<Language, typeof pt>> = { pt, en, es }
