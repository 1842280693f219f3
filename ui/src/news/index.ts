// What a provider told of an account, in words: for the connection's card and for the bell.
import type { ConnectionNews } from '@balcao/contract'
import { addTexts, type Texts, useTexts } from '@balcao/ui/i18n'
import pt from '../../locales/news/pt.json'

addTexts('news', {
  pt,
  en: () => import('../../locales/news/en.json'),
  es: () => import('../../locales/news/es.json'),
})

export { filterUnseenNews } from '@balcao/contract/connections/news-codes'

export function useNewsTexts() {
  return useTexts('news')
}

/** 'Modelo pausado: clientes reclamaram. (boas_vindas)' */
export function describeNews({ code, about }: Pick<ConnectionNews, 'code' | 'about'>, t: Texts): string {
  const text = t(`told.${code}`)
  return about ? t('about', { text, about }) : text
}
