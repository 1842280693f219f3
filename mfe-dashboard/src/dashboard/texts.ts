// The words of the figures: the dashboard's, which other pages of this remote draw too.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../../locales/pt.json'

addTexts('dashboard', { pt, en: () => import('../../locales/en.json'), es: () => import('../../locales/es.json') })
