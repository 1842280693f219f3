// What an older version did not understand of the messages of the last seven days is read again.
import '@balcao/backend/app/digest'
