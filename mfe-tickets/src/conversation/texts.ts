// The texts of a conversation that is open; they come with the first of them, after the lists.

import notices from '@balcao/contract/texts/notices/pt.json'
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/conversation/pt.json'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/conversation/en.json'),
  es: () => import('../../locales/conversation/es.json'),
})
addTexts('tickets', {
  pt: notices,
  en: () => import('@balcao/contract/texts/notices/en.json'),
  es: () => import('@balcao/contract/texts/notices/es.json'),
})
