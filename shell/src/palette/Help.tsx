import { areLettersOn, setLetters, splitShortcut, useAllActions } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import { Dialog, Kbd, Switch } from '@balcao/ui/parts'
import { useState } from 'react'
import { getText } from './get-text.ts'
import '../frame/late.ts'
import './palette.css'

/** All shortcuts of this screen, those too that are not possible right now (?). */
export default function Help({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('shell')
  const [letters, setOn] = useState(areLettersOn)
  const actions = useAllActions().filter(action => action.shortcut !== undefined)
  const groups = Map.groupBy(actions, action => action.groupKey ?? 'shell:palette.actions')

  return (
    <Dialog title={t('help.title')} onClose={onClose} width={520}>
      {[...groups].map(([group, list]) => (
        <section key={group} className="s-help">
          <h3>{getText(group)}</h3>
          <dl>
            {list.map(action => (
              <div key={action.id}>
                <dt>{getText(action.labelKey)}</dt>
                <dd>
                  {splitShortcut(action.shortcut ?? '').map(key => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
            {group === 'shell:help.general' && (
              <div>
                <dt>{t('help.close')}</dt>
                <dd>
                  <Kbd>Esc</Kbd>
                </dd>
              </div>
            )}
          </dl>
        </section>
      ))}
      <p className="s-help-note">{t('help.note')}</p>
      <Switch
        className="s-help-letters"
        label={t('help.letters')}
        hint={t('help.lettersHint')}
        checked={letters}
        onChange={on => {
          setLetters(on)
          setOn(on)
        }}
      />
    </Dialog>
  )
}
