import { addTexts } from '@balcao/ui/i18n'
import pt from '../locales/pt.json'
import { QuickAnswersPage } from './quick-answers/QuickAnswersPage.tsx'

addTexts('automation', { pt, en: () => import('../locales/en.json'), es: () => import('../locales/es.json') })

/** The remote of customer data and automation: for now the quick answers, open to every profile. */
export default function App() {
  return <QuickAnswersPage />
}
