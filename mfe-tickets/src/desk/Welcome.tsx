// Beside the list while no conversation is open.
import { useTexts } from '@balcao/ui/i18n'
import { BellDrawing } from '@balcao/ui/parts'
import { FirstAction } from '../list/FirstAction.tsx'
import '../list/empty-texts.ts'

export default function Welcome() {
  const t = useTexts('tickets')
  return (
    <div className="c-welcome">
      <BellDrawing />
      <h2 className="b-card-title">{t('welcome.title')}</h2>
      <p>{t('welcome.text')}</p>
      <FirstAction name="new" />
    </div>
  )
}
