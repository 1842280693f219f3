/** The name of a contact that was erased: its tickets still have one. */
export const ERASED_NAME = 'Pessoa apagada'
/** What has to be written for a person to be erased (decisions-2 §23). */
export const ERASE_WORD = 'APAGAR'
