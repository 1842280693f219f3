// The remote of the desk: tickets, conversation, composer. The shell loads it for /tickets.
import { addTexts } from '@balcao/ui/i18n'
import pt from '../locales/pt.json'
import { Desk } from './desk/Desk.tsx'

addTexts('tickets', { pt, en: () => import('../locales/en.json'), es: () => import('../locales/es.json') })

export default function App() {
  return <Desk />
}
