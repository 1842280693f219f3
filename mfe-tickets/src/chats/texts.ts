// The texts of internal chats; they come with the first of their screens.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/chats/pt.json'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/chats/en.json'),
  es: () => import('../../locales/chats/es.json'),
})
