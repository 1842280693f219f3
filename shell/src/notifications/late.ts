// Texts of what comes with the first press of a bell or the first notice.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/notifications/pt.json'

addTexts('shell', {
  pt,
  en: () => import(/* webpackChunkName: "lazy-notices-en" */ '../../locales/notifications/en.json'),
  es: () => import(/* webpackChunkName: "lazy-notices-es" */ '../../locales/notifications/es.json'),
})
