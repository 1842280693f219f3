// Texts and looks of the dialogs about messages, fetched with the dialogs.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/messages/pt.json'
import '../dialogs/texts.ts'
import './late.css'

addTexts('tickets', {
  pt,
  en: () => import('../../locales/messages/en.json'),
  es: () => import('../../locales/messages/es.json'),
})
