// Words of the settings, for their own page and for the log, which names them.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/settings/pt.json'

addTexts('settings', {
  pt,
  en: () => import('../../locales/settings/en.json'),
  es: () => import('../../locales/settings/es.json'),
})
