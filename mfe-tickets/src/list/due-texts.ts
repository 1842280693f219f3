// The texts of orders and of when answers are due; they come with the first of them.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/due/pt.json'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/due/en.json'),
  es: () => import('../../locales/due/es.json'),
})
