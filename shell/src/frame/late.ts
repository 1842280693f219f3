// Texts of what the frame fetches ahead: the palette, the help, and the card of a page that was not loaded.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/late/pt.json'

addTexts('shell', {
  pt,
  en: () => import(/* webpackChunkName: "lazy-palette-en" */ '../../locales/late/en.json'),
  es: () => import(/* webpackChunkName: "lazy-palette-es" */ '../../locales/late/es.json'),
})
