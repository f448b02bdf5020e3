/// @file tape/perthread.h
/// One object per thread, made on demand. It ends after the thread's objects with storage duration
/// thread, since a thread_local object of the user may record or sweep in its destructor; and it is
/// never destroyed in the main thread, where static objects may do so.
#pragma once

#include <atomic>
#include <memory>
#include <new>

#include <pthread.h>

namespace ADOLC::detail {

template <class T> class PerThread {
public:
  static T *ifAny() noexcept { return object_; }
  static T &get() {
    if (object_ == nullptr) {
      makeKey();
      static_cast<void>(madeAtLoad_);
      auto fresh = std::make_unique<T>();
      // Without a key (at the end of the process) the object lives on.
      if (keyUsable_ && pthread_setspecific(key_, fresh.get()) != 0)
        throw std::bad_alloc();
      object_ = fresh.release();
    }
    return *object_;
  }

private:
  // POSIX calls the destructor of a key after all those of thread_local objects, and again for what
  // was made meanwhile.
  struct Key {
    Key() { keyUsable_ = pthread_key_create(&key_, &destroy) == 0; }
    ~Key() {
      if (keyUsable_)
        pthread_key_delete(key_); // the library may be about to be unloaded
      keyUsable_ = false;
    }
  };
  static void makeKey() { static const Key key; }
  // So that no thread is making it when another one forks.
  static inline const bool madeAtLoad_ = (makeKey(), true);
  static void destroy(void *object) {
    delete static_cast<T *>(object); // may use object_
    object_ = nullptr;
  }

  static inline constinit thread_local T *object_ = nullptr;
  static inline pthread_key_t key_{};
  // Read at the end of the process, too.
  static inline constinit std::atomic<bool> keyUsable_{false};
};

} // namespace ADOLC::detail
