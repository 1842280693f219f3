import { useTexts } from '@balcao/ui/i18n'
import { Button, Dialog } from '@balcao/ui/parts'
import { useAccount } from './account.ts'
import { parseNotes } from './notes-text.ts'
import './late.ts'

/** What is new, in the operator's words. */
export default function NotesDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('shell')
  const { notes } = useAccount()
  return (
    <Dialog
      title={t('notes.title')}
      onClose={onClose}
      width={520}
      footer={
        <Button kind="primary" onClick={onClose} data-autofocus="">
          {t('notes.close')}
        </Button>
      }
    >
      {notes.map(note => (
        <section key={note.title} className="s-note">
          <h3>{note.title}</h3>
          {parseNotes(note.body).map(block =>
            block.kind === 'text' ? (
              <p key={block.text}>{block.text}</p>
            ) : (
              <ul key={block.items.join()}>
                {block.items.map(item => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            ),
          )}
        </section>
      ))}
    </Dialog>
  )
}
