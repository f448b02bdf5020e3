/// @file valuetape/globaltapevarscl.h
/// A store, its parameters and what manages their locations, all open to the program.
///
/// This is for programs and tests that look inside the tape machinery of other versions. The
/// library itself does not use it: tapes have a Store (valuetape/store.h) and capacities from the
/// configuration. Changing an object of this class changes no tape. This header is not part of the
/// umbrella adolc.h.
#pragma once

#include <adolc/internal/common.h>
#include <adolc/storemanager.h>

#include <cstddef>
#include <cstdint>
#include <memory>

/// The managers work on the members: `storeManagerPtr` on store, storeSize and numLives,
/// `paramStoreMgrPtr` on pStore, maxparam and numparam; both notice when the program changes those.
///
/// As with the managers alone, both arrays are the program's, whoever made them: null or made by
/// `new double[]`, replaced by growth, and deleted by the program. The destructor leaves them
/// alone, and so does the assignment with those of its target.
///
/// An object is used by one thread at a time.
class ADOLC_API GlobalTapeVarsCL {
public:
  /// Two managers of blocks on empty arrays.
  GlobalTapeVarsCL();
  ~GlobalTapeVarsCL();
  /// The managers go on with the members of the new object, with the same locations free. In the
  /// other one managers and arrays are null and the numbers of locations 0; it can be assigned to
  /// and destroyed, and reallocStore gives it a store again.
  GlobalTapeVarsCL(GlobalTapeVarsCL &&other) noexcept;
  GlobalTapeVarsCL &operator=(GlobalTapeVarsCL &&other) noexcept;

  /// Deletes the store and begins an empty one with a manager of the type
  /// (StoreManager::LocationMgrType). Throws ARGUMENT_OUT_OF_RANGE for another type, with nothing
  /// changed.
  void reallocStore(unsigned char type);
  /// Enlarges the store by initialStoreSize locations, at least to the double, if that is more than
  /// StoreManager::get_initialSize(), the size with which stores begin anyway. Throws as
  /// StoreManager::grow.
  void checkInitialStoreSize();

  double *store{nullptr};
  std::size_t storeSize{0};
  std::size_t numLives{0};
  std::size_t maxLoc{SIZE_MAX};

  std::size_t operationBufferSize{0};
  std::size_t locationBufferSize{0};
  std::size_t valueBufferSize{0};
  std::size_t taylorBufferSize{0};

  char inParallelRegion{0};
  char newTape{0};
  char branchSwitchWarning{1};
  uint nominmaxFlag{0};

  std::size_t numparam{0};
  std::size_t maxparam{0};
  double *pStore{nullptr};
  std::size_t initialStoreSize{0};

  std::unique_ptr<StoreManager> paramStoreMgrPtr;
  std::unique_ptr<StoreManager> storeManagerPtr;

private:
  void take(GlobalTapeVarsCL &other) noexcept;
};
