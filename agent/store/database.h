// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/store/decision_store.h"
#include "agent/store/drill_store.h"
#include "agent/store/house_store.h"
#include "agent/store/learned_store.h"
#include "agent/store/lease_store.h"
#include "agent/store/mirror_store.h"
#include "agent/store/note_store.h"
#include "agent/store/quality_store.h"
#include "agent/store/store.h"

namespace weir::store {

/// A whole database: one connection, of one thread.
class Database : public Store,
                 public LearnedStore,
                 public LeaseStore,
                 public HouseStore,
                 public DrillStore,
                 public MirrorStore,
                 public QualityStore,
                 public DecisionStore,
                 public NoteStore
{
};

} // namespace weir::store
